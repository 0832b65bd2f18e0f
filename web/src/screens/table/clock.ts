const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A time to read: days and hours, minutes and seconds, tenths below ten seconds. */
export function formatTime(milliseconds: number): string {
  if (milliseconds < 10_000) return (Math.floor(milliseconds / 100) / 10).toFixed(1)
  const seconds = Math.ceil(milliseconds / 1000)
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0')
  if (seconds >= DAY) return `${Math.floor(seconds / DAY)} d ${Math.floor((seconds % DAY) / HOUR)} h`
  if (seconds >= HOUR) return `${Math.floor(seconds / HOUR)}:${two((seconds % HOUR) / MINUTE)}:${two(seconds % MINUTE)}`
  return `${Math.floor(seconds / MINUTE)}:${two(seconds % MINUTE)}`
}

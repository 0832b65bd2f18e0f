/** A list item in two parts: its lead with the colon, as in `Flip: turn over a tile …`, and the rest. */
export function splitLead(item: string): { lead: string; rest: string } {
  const found = /^([^:.;]{1,40}:)( .*)$/s.exec(item)
  return found ? { lead: found[1]!, rest: found[2]! } : { lead: '', rest: item }
}

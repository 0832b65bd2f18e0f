/** An item of a list that begins with what it is about, as in `Flip: turn over a tile …`. */
export function ledBy(item: string): { lead: string; rest: string } {
  const found = /^([^:.;]{1,40}:)( .*)$/s.exec(item)
  return found ? { lead: found[1]!, rest: found[2]! } : { lead: '', rest: item }
}

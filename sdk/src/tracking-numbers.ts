/** Nobody writes a number with these in it. */
const betweenNumbers = /[,;|\r\n]+/
const shortestNumber = 4
/** People write a long number in groups, so only long parts between blanks are numbers. */
const shortestBetweenBlanks = 10

/**
 * Splits the text of a field in which staff may have typed several tracking numbers. Returns one
 * text for each parcel, or the whole text when a part of it is no number of its own: `a1b2c3d4,
 * e5f6g7h8` are two parcels, `0000 1234 56789` is one. A marketplace shows a dead link for two
 * numbers in one, so an adapter that writes parcels calls this and registers each of them.
 */
export function splitTrackingNumbers (text: string): string[] {
  const parts = text.split(betweenNumbers).map(part => part.trim()).filter(part => part !== '')
  if (parts.length > 1) return parts.every(part => isNumber(part, shortestNumber)) ? parts : [text.trim()]
  const [only = ''] = parts
  const words = only.split(/\s+/)
  return words.length > 1 && words.every(word => isNumber(word, shortestBetweenBlanks)) ? words : [only]
}

function isNumber (text: string, shortest: number): boolean {
  const signs = text.replaceAll(/\s/g, '')
  return signs.length >= shortest && /^[a-z0-9/-]+$/i.test(signs) && /[0-9]/.test(signs)
}

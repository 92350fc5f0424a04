/** Whether the database of a hub stores a text as it is. */
export function isStorableText (text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/**
 * Translates a JSON pointer from the marketplace's offer to the hub's patch. Keeps any other
 * pointer.
 */
export function hubPointer (pointer: string): string {
  return pointer
    .replace(/^\/name(?=\/|$)/, '/title')
    .replace(/^\/sellingMode\/price(?=\/|$)/, '/price')
    .replace(/^\/stock(\/available)?$/, '/quantity')
}

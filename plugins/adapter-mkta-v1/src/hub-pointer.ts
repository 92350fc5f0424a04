/**
 * Turns a JSON pointer into the marketplace's offer into one into the hub's offer patch. Other
 * pointers stay as they are.
 */
export function hubPointer (pointer: string): string {
  return pointer
    .replace(/^\/name(?=\/|$)/, '/title')
    .replace(/^\/sellingMode\/price(?=\/|$)/, '/price')
    .replace(/^\/stock(\/available)?$/, '/quantity')
}

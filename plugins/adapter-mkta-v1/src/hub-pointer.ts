/**
 * Where in what the hub sends a member of the marketplace's offer stands. Others keep their place.
 */
export function hubPointer (pointer: string): string {
  return pointer.replace(/^\/name(?=\/|$)/, '/title').replace(/^\/sellingMode\/price(?=\/|$)/, '/price').replace(
    /^\/stock(\/available)?$/,
    '/quantity'
  )
}

/** The address of a server, to be shown to people. One with several hosts is no URL. */
export function withoutPassword (address: string): string {
  return address
    .replace(/^([^\s:/?#]+:\/\/[^\s:/?#]*:)[^\s/?#]*@/, '$1***@')
    .replaceAll(/(password=)[^&#]*/gi, '$1***')
}

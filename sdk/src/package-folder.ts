/** The folder of this package. Its sources and its built files are one level below. */
export const packageFolder = new URL('../', import.meta.url)

import { InvalidArgumentError } from 'commander'

/** Reads how many rows a command shows at most. */
export function parseCount (text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('give a number from 1 to 999999')
  return Number(text)
}

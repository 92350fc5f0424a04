// These functions remove the characters that the shop's validators refuse in names and addresses.

/**
 * Returns a name without digits and other refused characters, or `fallback` when nothing is left.
 */
export function personName (name: string | undefined, fallback: string): string {
  const plain = shorten((name ?? '').replaceAll(/[\d!<>,;?=+()@#"°{}_$%:¤|]/g, ' '), 255)
  return plain === '' ? fallback : plain
}

/**
 * Returns the name of a customer: the shop accepts a dot only at the end or before one blank, and
 * refuses more characters than in an address.
 */
export function customerName (name: string | undefined, fallback: string): string {
  const dotted = personName(name, '').replaceAll(/[/\\*^[\]`]/g, ' ').replaceAll(/[.。]/g, '$& ')
  const plain = shorten(dotted, 255)
  return /\p{L}/u.test(plain) ? plain : fallback
}

/** Returns one line of a message, in which the shop accepts no markup. */
export function messageText (line: string): string {
  return line.replaceAll(/[<>{}]/g, ' ').trim()
}

export function addressText (line: string | undefined, longest: number): string {
  return shorten((line ?? '').replaceAll(/[!<>?=+@{}_$%]/g, ' '), longest)
}

export function cityName (city: string): string {
  return shorten(city.replaceAll(/[!<>;?=+@#"°{}_$%]/g, ' '), 64)
}

export function companyName (company: string | undefined): string {
  return shorten((company ?? '').replaceAll(/[<>={}]/g, ' '), 255)
}

export function phoneNumber (phone: string | undefined): string {
  return shorten((phone ?? '').replaceAll(/[^\d+.() -]/g, ' '), 32)
}

/**
 * Writes the postcode in the shop's form for the country (`NN-NNN`: N is a digit, L a letter, C the
 * country's code) if its characters fit, else unchanged.
 */
export function postcodeFor (postcode: string, format: string, country: string): string {
  const plain = shorten(postcode.toUpperCase().replaceAll(/[^0-9A-Z -]/g, ' '), 12)
  const characters = [...plain.replaceAll(/[^0-9A-Z]/g, '')]
  const slots = [...format.replaceAll('C', country)]
  const filled: string[] = []
  for (const slot of slots) {
    if (slot !== 'N' && slot !== 'L') {
      filled.push(slot)
      continue
    }
    const next = characters.shift()
    if (next === undefined || !(slot === 'N' ? /\d/ : /[A-Z]/).test(next)) return plain
    filled.push(next)
  }
  return format === '' || characters.length > 0 ? plain : filled.join('')
}

function shorten (value: string, longest: number): string {
  return value.replaceAll(/\s+/g, ' ').trim().slice(0, longest).trim()
}

// The shop stores no longer message.
const longestMessage = 1_600

/** Cuts the end of a message that is too long for the shop. */
export function shortenMessage (words: string): string {
  return words.length > longestMessage ? `${words.slice(0, longestMessage - 1)}…` : words
}

// These functions remove the characters that the shop's validators refuse in names and addresses.

/**
 * Returns a name without digits and other refused characters, or `fallback` when nothing is left.
 */
export function personName (name: string | undefined, fallback: string): string {
  return shorten((name ?? '').replaceAll(/[\d!<>,;?=+()@#"°{}_$%:¤|]/g, ' '), 255) || fallback
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
  const plain = shorten(postcode, 12).toUpperCase()
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

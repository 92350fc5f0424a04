/** The kinds of personal data that names of members tell. */
export type PersonalKind =
  | 'first name'
  | 'last name'
  | 'full name'
  | 'login'
  | 'street'
  | 'house number'
  | 'company'
  | 'email'
  | 'number'
  | 'birthday'
  | 'address'

/** A value in a tree of data, and the names around it. */
export interface Place {
  /** The name of the member; in a list, the name of the list. */
  name: string
  /** The name of the object that has the member. */
  parent: string
  /** The names of all members of that object. */
  siblings: readonly string[]
}

const secretNames = new Set(['key', 'auth', 'sig', 'pwd', 'pin', 'otp', 'jwt', 'authorization'])
const keyEndings = /(api|private|secret|access|secure|ws)key$/
const secretEndings = /(token|secret|passw(or)?d|passphrase|signature|cookie|credential|sessionid)s?$/
/** Positions in lists. Without them nobody could replay a listing. */
const positions = /(page|next|previous|prev|continuation|sync|cursor|skip|paging)token$/

/** Whether a member with this name contains a secret, whoever made it. */
export function isSecretMember (name: string): boolean {
  const plain = plainName(name)
  if (secretNames.has(plain) || keyEndings.test(plain)) return true
  return secretEndings.test(plain) && !positions.test(plain)
}

const endings: readonly [RegExp, PersonalKind][] = [
  [/(first|given|middle|fore)name$/, 'first name'],
  [/(last|sur|family)name$/, 'last name'],
  [/(full|recipient|receiver|customer|buyer|contact|person|cardholder|consignee)name$/, 'full name'],
  [/contactperson$/, 'full name'],
  [/^street(name|address)?$|^address(line)?[123]$/, 'street'],
  [/^(house|flat|apartment|building)(number|no)$/, 'house number'],
  [/^company(name)?$/, 'company'],
  [/e?mail(address)?$/, 'email'],
  [/(phone|mobile|fax)(number|no)?$|^(tel|telephone|msisdn)$/, 'number'],
  [/^(nip|pesel|dni|iban)$|^(vat|tax)(number|id|no)$|^(bank)?account(number|no)$/, 'number'],
  [/^(birthday|birthdate|dateofbirth)$/, 'birthday'],
  [/^(ip|ipaddress|remoteaddress|remoteaddr)$/, 'address']
]

const ofPerson: ReadonlyMap<string, PersonalKind> = new Map([
  ['name', 'full name'],
  ['login', 'login'],
  ['username', 'login'],
  ['nickname', 'login'],
  ['line1', 'street'],
  ['line2', 'street'],
  ['address', 'street']
])
const person = /(buyer|customer|user|recipient|receiver|contact|person|client|consignee|payer|address)(s|es)?$/

/** Tells which kind of personal data a member contains; undefined when its name tells of none. */
export function personalKindOf ({ name, parent, siblings }: Place): PersonalKind | undefined {
  const plain = plainName(name)
  const found = endings.find(([ending]) => ending.test(plain))?.[1]
  if (found !== undefined) return found
  const kind = ofPerson.get(plain)
  if (kind === undefined) return undefined
  const isOfPerson = person.test(plainName(parent)) || siblings.some(isOfPersonAlone)
  return isOfPerson ? kind : undefined
}

const ofPersonAlone: readonly PersonalKind[] = ['first name', 'last name', 'street', 'email', 'birthday']

/** Whether only the data of a person has such a member. */
function isOfPersonAlone (name: string): boolean {
  const plain = plainName(name)
  return endings.some(([ending, kind]) => ofPersonAlone.includes(kind) && ending.test(plain))
}

/** `shipping_address[first-name]` → `shippingaddressfirstname` */
function plainName (name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

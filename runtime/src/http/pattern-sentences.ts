import { adapterKeyPattern, Money, platformTypePattern } from '@linker/sdk'
import { connectionNamePattern } from '@linker/sdk/host'
import { eventIdPattern, everyPattern } from '@linker/sdk/host/text'
import {
  credentialsRefPattern,
  cursorKeyPattern,
  findable,
  jobTypePattern,
  orderProblemPattern,
  printable,
  problemCodePattern,
  requestIdPattern,
  tokenNamePattern,
  uuidPattern,
  visiblePattern
} from '../text-patterns.ts'

/** Each pattern that the API checks, with words that say how a value must look. */
export const patternSentences: ReadonlyMap<string, string> = new Map([
  [adapterKeyPattern, 'must be an adapter key such as feedshop.webservice.v1'],
  [connectionNamePattern.source, 'must be one line of text that does not start with a space'],
  [credentialsRefPattern, 'must be a reference such as db:feedshop_1, as a connection shows it'],
  [cursorKeyPattern, 'must be the name of a cursor, as the list of cursors shows it'],
  [eventIdPattern, 'must be an id of 1 to 200 letters, digits and . _ : -'],
  [everyPattern.source, 'must be a length of time such as 30s, 15m, 2h or 1d'],
  [findable, 'must be one line of text, and more than blanks'],
  [jobTypePattern, 'must be a job type such as master.product.syncByExternalId'],
  [orderProblemPattern, 'must be the code of a problem of an order, such as not-created'],
  [platformTypePattern, 'must be a platform type, which is the part of an adapter key before the first dot'],
  [printable, 'must be one line of text, not empty, without control characters'],
  [problemCodePattern, 'must be the code of a problem, such as LNK_ADAPTER_TRANSIENT'],
  [requestIdPattern, 'must be an id of 1 to 128 letters, digits and . _ : -'],
  [tokenNamePattern, 'must begin with a letter or a digit, and consist of letters, digits, spaces and . _ @ -'],
  [uuidPattern, 'must be an id such as 0b5e8f7a-3f0c-4c3e-9d0a-5a1f7d6c2e11'],
  [visiblePattern, 'must consist of visible ASCII characters'],
  [Money.properties.amount.pattern ?? '', 'must be a decimal number with a dot, in quotes, such as "119.99"'],
  [Money.properties.currency.pattern ?? '', 'must be a currency code of three capital letters, such as EUR']
])

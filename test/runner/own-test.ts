import { testOf } from './own-tests.ts'

// Replaces `tap` for one test file, which the address of this module names.
export default testOf(import.meta.url)

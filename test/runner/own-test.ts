import { testOf } from './own-tests.ts'

// The test runner loads this module in place of `tap`, once for each test file. The query of its
// address names the file, so every file gets a test of its own.
export default testOf(import.meta.url)

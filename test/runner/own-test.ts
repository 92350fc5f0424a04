import { testOf } from './own-tests.ts'

// Stands in for `tap`, once for each file: its address says for which.
export default testOf(import.meta.url)

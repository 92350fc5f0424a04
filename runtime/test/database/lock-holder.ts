import { lockDirectory } from '../../src/database/directory-lock.ts'

// Holds the lock of the directory named by its argument until it is killed.
await lockDirectory(process.argv[2] ?? '')
process.send?.('locked')
setInterval(() => undefined, 60_000)

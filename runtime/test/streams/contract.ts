import type { Test } from 'tap'
import { testEnqueuing } from './contract/enqueuing.ts'
import { testPending } from './contract/pending.ts'
import { testPublishing } from './contract/publishing.ts'
import { testReadingAhead } from './contract/reading-ahead.ts'
import { testReading } from './contract/reading.ts'
import { testUpkeep } from './contract/upkeep.ts'
import type { StreamDriver } from './drivers.ts'

/**
 * Tests the behaviour that every driver of the stream port has. Each test starts with an empty
 * server.
 */
export function testStreamContract (t: Test, driver: StreamDriver): void {
  testPublishing(t, driver)
  testReading(t, driver)
  testReadingAhead(t, driver)
  testPending(t, driver)
  testEnqueuing(t, driver)
  testUpkeep(t, driver)
}

// For tests of adapters and of what runs them. Adapters themselves import '@linker/sdk' alone.

export type { TestClock } from './clock.ts'
export { createTestContext } from './context.ts'
export type { TestContext, TestContextOptions } from './context.ts'
export { createTestHost } from './host.ts'
export type { TestHost, TestHostOptions } from './host.ts'
export type { Recorded, TestJob, TestLogLine, TestRequest } from './memory-services.ts'
export type { OpenedConnection, OpenOptions, TestCallOptions } from './open-connection.ts'

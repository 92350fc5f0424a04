// For tests of adapters and of what runs them. Adapters themselves import '@linker/sdk' alone.

export type { TestClock } from './clock.ts'
export { createTestContext } from './context.ts'
export type { TestContext, TestContextOptions } from './context.ts'
export { createTestHost } from './host.ts'
export type { TestHost, TestHostOptions } from './host.ts'
export { hostContract } from './host-contract/contract.ts'
export type { ContractTest, HostUnderTest } from './host-contract/contract.ts'
export { default as probe } from './host-contract/probe.ts'
export { probeEntry, probeManifest } from './host-contract/steps.ts'
export type { ProbeCredentials } from './host-contract/steps.ts'
export type { Recorded, TestJob, TestLogLine, TestRequest } from './memory-services.ts'
export type { OpenedConnection, OpenOptions, TestCallOptions } from './open-connection.ts'

// For tests of adapters and of their hosts. Adapters themselves import only '@linker/sdk'.

export type { CapabilityCalls } from './capability-calls.ts'
export type { TestClock } from './clock.ts'
export type { Check } from './conformance/check.ts'
export type { Finding } from './conformance/finding.ts'
export { checks as conformanceChecks } from './conformance/checks.ts'
export { isReading } from './conformance/methods.ts'
export { runConformance } from './conformance/run-conformance.ts'
export type { CheckResult, ConformanceOptions, ConformanceReport } from './conformance/run-conformance.ts'
export { ConformanceSettings } from './conformance/settings.ts'
export { levelOf, writePackageReport } from './conformance/write-report.ts'
export { testAdapter } from './conformance/test-adapter.ts'
export type { ConformanceTest } from './conformance/test-adapter.ts'
export { createTestContext } from './context.ts'
export type { DefinedTestContextOptions, TestContext, TestContextOptions } from './context.ts'
export { createTestHost } from './host.ts'
export type { TestHost, TestHostOptions } from './host.ts'
export { hostContract } from './host-contract/contract.ts'
export { runRoute } from './host-contract/host-under-test.ts'
export type { ContractTest, HostUnderTest } from './host-contract/host-under-test.ts'
export { default as probe } from './host-contract/probe.ts'
export { otherManifest, probeEntry, probeManifest } from './host-contract/steps.ts'
export type { ProbeCredentials, RouteStep } from './host-contract/steps.ts'
export type { InjectedAnswer, InjectedRequest } from './inject.ts'
export type { TestConnection } from './memory-platform.ts'
export type { Recorded, TestJob, TestLogLine, TestRequest } from './memory-services.ts'
export type {
  ConnectionCalls,
  GivenSettings,
  JobPayload,
  OpenedConnection,
  OpenOptions,
  TestCallOptions
} from './open-connection.ts'

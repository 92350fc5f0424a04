import { importAdapter } from '../../../src/host/import-adapter.ts'
import { createExperimenter } from '../../../src/testing/conformance/experimenter.ts'
import { planExperiments, startExperiments } from '../../../src/testing/conformance/plan.ts'
import type { Place } from '../../../src/testing/conformance/subject.ts'

/**
 * This thread as the place of the adapter under test. An adapter costs a tenth of the processor
 * time of its own threads here, but the suite does not see what it does to its thread.
 */
export const here: Place = {
  async importAdapter ({ entry }) {
    if (entry === undefined) throw new Error('a package without a module is not imported')
    const seen = { environment: [], handles: [], globals: [], listeners: [] }
    const rest = { printed: '', endsByItself: true }
    try {
      const { description } = await importAdapter(entry)
      return { report: { ...seen, description }, ...rest }
    } catch (error) {
      const { message, code } = error as Error & { code?: string }
      return { report: { ...seen, failure: { message, isShape: code === 'LNK_ADAPTER_SHAPE_INVALID' } }, ...rest }
    }
  },
  async run ({ entry, manifest, content }, { settleMs }, options) {
    if (entry === undefined || manifest === undefined || content === undefined) {
      throw new Error('a package without manifest and module is not called')
    }
    const plan = planExperiments(options)
    const { definition } = await importAdapter(entry)
    const experimenter = createExperimenter({
      adapter: `${manifest.adapterKey}@${content.version}`,
      definition,
      manifest,
      settleMs,
      onSettled: experiment => servers.look(experiment)
    })
    const servers = await startExperiments(plan, callId => {
      experimenter.abort(callId)
    })
    try {
      const results = await experimenter.run(servers.experiments)
      return {
        plan,
        report: { results, foreignConnections: [], environment: [], globals: [] },
        printed: '',
        endsByItself: true,
        arrivals: servers.arrivals(),
        leftOpen: servers.leftOpen()
      }
    } finally {
      await servers.close()
    }
  }
}

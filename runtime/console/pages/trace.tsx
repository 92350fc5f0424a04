import type { JSX } from 'preact'
import { useRoute } from 'preact-iso/router'
import { nowMs } from '../hub/clock.ts'
import { useLive } from '../hub/live.ts'
import { withFilter } from '../rules/filters.ts'
import { stepsOf } from '../rules/trace.ts'
import { Copy } from '../show/copy.tsx'
import { Empty, Loaded } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'
import { readTrace } from './trace/read-trace.ts'
import { Timeline } from './trace/timeline.tsx'

/** Shows one request on a time axis, from the delivery to the requests to platforms. */
export default function TracePage (): JSX.Element {
  const { params: { requestId = '' } } = useRoute()
  const live = useLive(signal => readTrace(requestId, signal), [requestId])
  return (
    <Page
      title='Trace'
      lead={
        <>
          What request <code>{requestId}</code> led to, step by step.
        </>
      }
      above={[['Jobs', '/console/jobs']]}
      actions={
        <>
          <a class='button' href={withFilter('/console/jobs', { requestId })}>Its jobs as a list</a>
          <Copy text={requestId} label='Copy request id' />
        </>
      }
    >
      <Loaded live={live}>
        {found =>
          found.jobs.length === 0
            ? (
              <Empty>
                No job has this request id. Events that the hub ignores start none, and jobs that ended long ago are
                removed.
              </Empty>
            )
            : (
              <>
                {found.hasMore && (
                  <p class='note info'>
                    This request led to more jobs. Here are the newest {found.jobs.length} of them.
                  </p>
                )}
                <Timeline steps={stepsOf({ ...found, requestId, nowMs: nowMs() })} />
              </>
            )}
      </Loaded>
    </Page>
  )
}

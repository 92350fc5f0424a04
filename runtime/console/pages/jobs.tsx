import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { readFilter } from '../rules/filters.ts'
import { isAboutGroups } from '../rules/job-groups.ts'
import { Page } from '../show/page.tsx'
import { Tabs } from '../show/tabs.tsx'
import { filterNames } from './jobs/filter.ts'
import { Groups } from './jobs/groups.tsx'
import { JobList } from './jobs/list.tsx'
import { RedriveList } from './jobs/redrives.tsx'

const path = '/console/jobs'

/** The groups of jobs that are stuck stand above the jobs, so that many failures are one line. */
export default function Jobs (): JSX.Element {
  const { query } = useLocation()
  const view = query['view'] === 'groups' || query['view'] === 'redrives' ? query['view'] : 'jobs'
  return (
    <Page title='Jobs' lead='What is stuck, and why? A job is one piece of work on one object, such as an offer.'>
      <Tabs
        label='Jobs'
        here={view}
        tabs={[
          ['jobs', 'Jobs', path],
          ['groups', 'Stuck groups', `${path}?view=groups`],
          ['redrives', 'Bulk retries', `${path}?view=redrives`]
        ]}
      />
      {view === 'redrives' && <RedriveList />}
      {view !== 'redrives' && (view === 'groups' || isAboutGroups(readFilter(query, filterNames))) && <Groups />}
      {view === 'jobs' && <JobList />}
    </Page>
  )
}

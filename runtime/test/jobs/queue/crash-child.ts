import { openJobs } from '../support.ts'

// A worker that its parent kills while its handlers run. It prints the id of a job when the handler
// of the job runs.

const [dataDirectory = '', databaseUrl] = process.argv.slice(2)
const jobs = await openJobs({
  dataDirectory,
  ...(databaseUrl === undefined ? {} : { databaseUrl }),
  remove: async () => undefined
})
jobs.startWorker(async job => {
  process.stdout.write(`${job.id}\n`)
  await new Promise(() => undefined)
  return {}
})

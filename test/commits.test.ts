import { execFileSync } from 'node:child_process'
import t from 'tap'
import { repository } from './support/project.ts'

// The subjects of the commits that came after the one that brought this file: history is not
// rewritten. In a shallow clone git takes the oldest commit that it has for that one.

const own = 'test/commits.test.ts'
const mostCharacters = 72
const form = /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([a-z0-9-]+\))?!?: \S/

const git = (...args: string[]): string => execFileSync('git', args, { cwd: repository, encoding: 'utf8' })

t.test('the subject of a commit has its form and at most 72 characters', async t => {
  const since = git('log', '--diff-filter=A', '--format=%H', '--', own).trim().split('\n').at(-1)
  if (since === undefined || since === '') {
    t.pass('this file is not committed yet')
    return
  }
  const subjects = git('log', '--no-merges', '--format=%s', `${since}..HEAD`).split('\n').filter(line => line !== '')

  t.strictSame(subjects.filter(subject => subject.length > mostCharacters || !form.test(subject)), [])
})

import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { TestResult } from '../../form/test-result.tsx'
import { hub } from '../../hub/hub.ts'
import { QuickAction } from '../../show/action.tsx'

/** A button that tests the connection at the platform, and the place of the last result. */
export function useTest ({ id, name }: Pick<Schemas['Connection'], 'id' | 'name'>): readonly [
  button: JSX.Element,
  result: JSX.Element | null
] {
  const [test, setTest] = useState<Schemas['ConnectionTest']>()

  async function run () {
    const result = await hub.post('/connections/{id}/test', { path: { id } })
    setTest(result)
    return result.success
      ? { text: `“${name}” answers: ${result.message}` }
      : { text: `The test of “${name}” failed: ${result.message}`, isBad: true }
  }

  return [
    <QuickAction key='test' label='Test' scope='operate' run={run} />,
    test === undefined ? null : <TestResult key='result' test={test} />
  ]
}

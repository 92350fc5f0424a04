import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { bothChanged, configDiff } from '../../rules/config-diff.ts'
import { Diff } from '../../show/diff.tsx'
import { Icon } from '../../show/icon.tsx'

type Settings = Pick<Schemas['Connection'], 'name' | 'config' | 'settings'>

/** Somebody else has changed the connection meanwhile: shows both versions and lets choose. */
export function Conflict ({ base, mine, theirs, onTake, onKeep }: {
  base: Settings,
  mine: Settings,
  theirs: Settings,
  onTake: () => void,
  onKeep: () => void
}): JSX.Element {
  const [before, ours, others] = [base, mine, theirs].map(({ name, config, settings }) => ({
    name,
    config,
    settings
  }))
  const their = configDiff(before ?? {}, others ?? {})
  const both = bothChanged(configDiff(before ?? {}, ours ?? {}), their)
  return (
    <div class='note warn' role='alert'>
      <Icon name='warning' />
      <div>
        <p>
          <strong>Somebody else has changed this connection since you opened it.</strong>{' '}
          {both.length === 0 ? 'You changed other members, so yours fit on top.' : 'You both changed the same members.'}
        </p>
        <Diff caption='Their changes' changes={their} from='When you opened it' to='Now' />
        <Diff
          caption='Their version and yours'
          changes={configDiff(others ?? {}, ours ?? {})}
          from='Theirs'
          to='Yours'
        />
        <p class='actions'>
          <button type='button' onClick={onTake}>Take theirs, drop mine</button>
          <button type='button' onClick={onKeep}>Save my changes on top</button>
        </p>
      </div>
    </div>
  )
}

import type { Schemas } from '@linker/client'

type Move = Schemas['Move']

/** Warnings that need an agreement, as `linker connections move --yes` gives it. */
const toConfirm: ReadonlySet<string> = new Set(['capability-lost', 'permission-grown', 'one-way'])

export function needsAgreement ({ warnings }: Pick<Move, 'warnings'>): boolean {
  return warnings.some(({ code }) => toConfirm.has(code))
}

/** The warnings that the list of changes does not show already. */
export function otherWarnings ({ warnings }: Pick<Move, 'warnings'>): Move['warnings'] {
  return warnings.filter(({ code }) => !toConfirm.has(code))
}

/** The changes beside the config, one sentence each. */
export function changesInWords ({ changes }: Pick<Move, 'changes'>): string[] {
  const { capabilities, permissions, migrations, events } = changes
  return [
    ...migrations.map(({ from, to, direction, isReversible }) =>
      `Migrates the config ${direction === 'up' ? `from ${from} to ${to}` : `back from ${to} to ${from}`}` +
      `${isReversible ? '' : ', which cannot be undone'}.`
    ),
    ...capabilities.lost.map(name => `Loses the capability ${name}.`),
    ...capabilities.gained.map(name => `Gains the capability ${name}.`),
    ...permissions.grown.map(permission => `May now ${permission}.`),
    ...permissions.dropped.map(permission => `May no longer ${permission}.`),
    ...events.map(({ eventType, from, to }) =>
      `Webhooks of the type ${eventType} ${to === undefined ? 'are ignored' : `start ${to}`}` +
      `${from === undefined ? ', and are ignored now' : `, and start ${from} now`}.`
    )
  ]
}

/** Why the move cannot be made now. Undefined: it can. */
export function blocksMove (move: Move | undefined, isAgreed: boolean): string | undefined {
  return move !== undefined && needsAgreement(move) && !isAgreed ? 'Agree to what is lost or new.' : undefined
}

export function pinText ({ adapterKey, adapterVersion }: {
  adapterKey: string,
  adapterVersion: string | null
}): string {
  return `${adapterKey}@${adapterVersion ?? 'latest'}`
}

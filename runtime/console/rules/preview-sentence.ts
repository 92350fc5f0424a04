interface PreviewLike {
  complete: boolean
  seen: number
  changed: number
  kept: number
  linked: number
  missing: number
  held: boolean
}

/** The answer of a dry run in one sentence, as the command `linker stock reconcile` says it. */
export function previewSentence ({ complete, seen, changed, kept, linked, missing, held }: PreviewLike): string {
  return `${
    [
      `${seen} read${complete ? '' : ' (not all: the time was over)'}`,
      changed === 0 ? 'nothing would change' : `${changed} would change`,
      ...kept === 0 ? [] : [`${kept} would stay different`],
      ...linked === 0 ? [] : [`${linked} would be linked`],
      ...missing === 0
        ? []
        : [`${missing} missing${held ? ': too many, so a sweep is held until a person accepts it' : ''}`]
    ].join(', ')
  }.`
}

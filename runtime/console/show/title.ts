import { effect, signal } from '@preact/signals'

export const pageTitle = signal('Linker')
/** How much needs a person; the title of the tab says it while the tab is in the background. */
export const attentionCount = signal(0)

effect(() => {
  const count = attentionCount.value === 0 ? '' : `(${attentionCount.value}) `
  document.title = `${count}${pageTitle.value} · Linker`
})

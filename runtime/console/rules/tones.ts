/** How a state looks. Colour is never the only sign: an icon and the word stand beside it. */
export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'wait' | 'idle' | 'info'

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  ok: 'good',
  succeeded: 'good',
  accepted: 'good',
  ready: 'good',
  loaded: 'good',
  linked: 'good',
  done: 'good',
  ACTIVE: 'good',
  complete: 'good',
  created: 'good',
  shipped: 'good',
  delivered: 'good',
  error: 'bad',
  blocking: 'bad',
  open: 'bad',
  closed: 'good',
  probing: 'busy',
  dead: 'bad',
  failed: 'bad',
  refused: 'bad',
  FAILED: 'bad',
  warning: 'warn',
  held: 'warn',
  away: 'warn',
  awaiting_mapping: 'warn',
  running: 'busy',
  queued: 'wait',
  waiting: 'wait',
  pending: 'wait',
  paused: 'wait',
  'partly paused': 'wait',
  DRAFT: 'wait',
  requested: 'wait',
  disabled: 'idle',
  cancelled: 'idle',
  coalesced: 'idle',
  ignored: 'idle',
  INACTIVE: 'idle',
  ENDED: 'idle',
  abandoned: 'idle',
  returned: 'idle',
  elsewhere: 'idle',
  info: 'info'
}

/** Unknown states look neutral: a hub that is newer than this page may have more of them. */
export function toneOf (state: string): Tone {
  return Object.hasOwn(tones, state) ? tones[state] ?? 'info' : 'info'
}

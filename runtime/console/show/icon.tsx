import type { JSX } from 'preact'

// Strokes on a field of 24 by 24.
const strokes = {
  overview: 'M4 13h6V4H4zM14 20h6V4h-6zM4 20h6v-3H4z',
  connections: 'M9 7V3M15 7V3M6 7h12v4a6 6 0 0 1-12 0zM12 17v4',
  offers: 'M3 12V4a1 1 0 0 1 1-1h8l9 9-9 9zM8 8h.01',
  stock: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  orders: 'M5 7h14l-1.5 9h-11zM5 7L4 3H2M8 20h.01M17 20h.01',
  jobs: 'M4 6h10M4 12h16M4 18h7M17 4l3 2-3 2',
  deliveries: 'M4 5h16v11H9l-5 4zM8 9h8M8 12h5',
  adapters: 'M9 3v4H5v5h4v5h6v-5h4V7h-4V3zM12 17v4',
  figures: 'M4 20V4M4 20h16M8 16l4-5 3 3 5-7',
  audit: 'M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6',
  access: 'M14 10a4 4 0 1 0-3.5 4L12 15.500V18h2v2h3v-3.500L13.700 12',
  system: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  ok: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12l3 3 5-6',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  error: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM12 8v5M12 16h.01',
  waiting: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3',
  running: 'M20 12a8 8 0 1 1-3-6.200M20 4v4h-4',
  paused: 'M8 5v14M16 5v14',
  off: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM6 6l12 12',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 8h.01',
  menu: 'M4 6h16M4 12h16M4 18h16',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  close: 'M6 6l12 12M18 6L6 18',
  next: 'M9 5l7 7-7 7',
  theme: 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z'
} as const

export type IconName = keyof typeof strokes

/** A picture beside a word. It says nothing to a screen reader, so a word must stand beside it. */
export function Icon ({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class='icon' viewBox='0 0 24 24' aria-hidden='true'>
      <path d={strokes[name]} />
    </svg>
  )
}

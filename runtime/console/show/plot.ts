import UPlot from 'uplot'
import { axisTimes } from '../rules/axis-times.ts'
import type { Plot } from '../rules/plots.ts'

export interface Mark {
  /** In seconds since 1970. */
  at: number
  title: string
}

export interface Drawing {
  plot: Plot
  /** The beginnings of the slots, in seconds since 1970. */
  times: readonly number[]
  columns: readonly (readonly (number | null)[])[]
  marks: readonly Mark[]
  width: number
  /** Called with two times in seconds when a person drags over a span. */
  onSpan(from: number, to: number): void
}

const height = 190

/** Draws a plot into the element. Returns a function that removes it. */
export function draw (element: HTMLElement, { plot, times, columns, marks, width, onSpan }: Drawing): () => void {
  const style = getComputedStyle(document.body)
  const probe = document.createElement('span')
  element.append(probe)
  // The canvas knows no custom properties and no `light-dark()`; the browser resolves them here.
  const colorOf = (name: string): string => {
    probe.className = `ink-${name}`
    return getComputedStyle(probe).color
  }
  const lines = plot.lines.map(({ name, color }) => ({ name, color: colorOf(color) }))
  const [ink, grid] = [colorOf('muted'), colorOf('line')]
  probe.remove()

  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } }
  const font = `12px ${style.fontFamily}`
  // The last column of a stack is the highest; drawn first, it does not hide the others.
  const order = plot.isStacked ? lines.map((_line, index) => index).toReversed() : lines.map((_line, index) => index)
  const made = new UPlot(
    {
      width,
      height,
      legend: { show: false },
      cursor: { sync: { key: 'figures' }, drag: { x: true, y: false, setScale: false } },
      select: { show: true, left: 0, top: 0, width: 0, height: 0 },
      scales: { y: { range: (_plot, _least, most) => [0, Math.max(most ?? 0, 1) * 1.08] } },
      axes: [
        { ...axis, font, space: 80, values: (_plot, splits) => axisTimes(splits) },
        { ...axis, font, size: 64, values: (_plot, splits) => splits.map(value => formatValue(value, plot.unit)) }
      ],
      series: [
        {},
        ...order.map(index => ({
          label: lines[index]?.name ?? '',
          stroke: lines[index]?.color ?? ink,
          width: 1.6,
          spanGaps: false,
          // A line has no length where the slots beside a value have none.
          points: { show: !plot.isStacked, size: 4, width: 1 },
          ...(plot.isStacked ? { fill: translucent(lines[index]?.color ?? ink) } : {})
        }))
      ],
      hooks: {
        draw: [self => drawMarks(self, marks, ink)],
        setSelect: [self => {
          const { left, width: selected } = self.select
          if (selected < 8) return
          onSpan(self.posToVal(left, 'x'), self.posToVal(left + selected, 'x'))
        }]
      }
    },
    [[...times], ...order.map(index => [...columns[index] ?? []])],
    element
  )
  return () => made.destroy()
}

/** A dashed line from top to bottom at each mark. */
function drawMarks (self: UPlot, marks: readonly Mark[], ink: string): void {
  const { ctx, bbox } = self
  ctx.save()
  ctx.strokeStyle = ink
  ctx.setLineDash([4, 4])
  for (const { at } of marks) {
    const x = self.valToPos(at, 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}

/** Browsers resolve colours to `rgb(r, g, b)`. */
function translucent (color: string): string {
  return color.replace(/^rgb\((.+)\)$/, 'rgba($1, 0.35)')
}

export function formatValue (value: number, unit: Plot['unit']): string {
  const text = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
  if (unit === 'count') return text
  return unit === 'ms' ? `${text} ms` : `${text} s`
}

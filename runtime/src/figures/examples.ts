import type { Examples } from '../http/description/examples.ts'

const none = [0, 0]
const unknown = [null, null]

export const figureExamples: Examples = {
  bodies: {},
  answers: {
    Figures: {
      step: 3_600,
      times: [1_769_850_000, 1_769_853_600],
      series: {
        webhooksAccepted: [120, 96],
        webhooksRepeated: [3, 0],
        webhooksRefused: [0, 2],
        jobsSucceeded: [118, 95],
        jobsPutBack: [1, 0],
        jobsDead: [0, 1],
        jobsCancelled: none,
        upstream2xx: [240, 190],
        upstream3xx: none,
        upstream4xx: [0, 1],
        upstream429: none,
        upstream5xx: [1, 0],
        upstreamNone: none,
        stockWrites: [80, 61],
        upstreamP50: [45, 45],
        upstreamP95: [128, 181],
        upstreamP99: [256, 362],
        writtenP50: [181, 181],
        writtenP95: [512, 724],
        writtenP99: [1_024, 1_448],
        queued: [2, 0],
        waiting: none,
        running: [4, 3],
        oldestSeconds: [0.4, null],
        drift: unknown
      },
      refused: { LNK_SIGNATURE_MISMATCH: [0, 2] }
    }
  }
}

import { splitTrackingNumbers } from '@linker/sdk'
import t from 'tap'

t.test('several numbers in one field are split, when every part is a number of its own', async t => {
  const long = ['620000000000000000000001', '620000000000000000000002']
  const cases: Array<[text: string, numbers: string[]]> = [
    ['620000, 620001', ['620000', '620001']],
    ['0000 1234 5;0000 1234 6 | AB12', ['0000 1234 5', '0000 1234 6', 'AB12']],
    ['A-100\r\nA-101\n', ['A-100', 'A-101']],
    [long.join(' '), long]
  ]

  for (const [text, numbers] of cases) t.strictSame(splitTrackingNumbers(text), numbers, text)
})

t.test('one number stays whole, also in groups, with a trailing comma and beside words', async t => {
  const cases: Array<[text: string, number: string]> = [
    [' 0000 1234 56789 ', '0000 1234 56789'],
    ['AB12/3', 'AB12/3'],
    ['620000,', '620000'],
    ['620000, two parcels', '620000, two parcels'],
    ['12, 34', '12, 34'],
    ['', '']
  ]

  for (const [text, number] of cases) t.strictSame(splitTrackingNumbers(text), [number], text)
})

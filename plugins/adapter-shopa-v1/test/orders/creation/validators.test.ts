import t from 'tap'
import {
  addressText,
  cityName,
  customerName,
  messageText,
  personName,
  phoneNumber,
  postcodeFor
} from '../../../src/orders/creation/validators.ts'

t.test('a name loses the characters that the shop refuses, and has a fallback', async t => {
  t.equal(personName("  Anna  2nd (Maria) O'Neil-Żak ", 'Guest'), "Anna nd Maria O'Neil-Żak")
  t.equal(personName('12345', 'Guest'), 'Guest')
  t.equal(personName(undefined, 'Customer'), 'Customer')
})

t.test('the name of a customer follows the stricter rule', async t => {
  const cases: [name: string | undefined, written: string][] = [
    ['P.H.U. Anna/Jan', 'P. H. U. Anna Jan'],
    ['Dr.med.', 'Dr. med.'],
    ['a\\b*c^d[e]f`g', 'a b c d e f g'],
    ['Anna  .  Maria', 'Anna . Maria'],
    ['李。明', '李。 明'],
    ['...', 'Guest'],
    ['- / -', 'Guest'],
    [undefined, 'Guest']
  ]

  for (const [name, written] of cases) t.equal(customerName(name, 'Guest'), written)
})

t.test('a message keeps its lines and loses its markup', async t => {
  t.equal(messageText('Ring <b>twice</b>\nplease {x}'), 'Ring  b twice /b \nplease  x')
})

t.test('addresses, cities and telephone numbers keep the characters that the shop accepts', async t => {
  t.equal(addressText('ul. Prosta 1/2 <b>', 128), 'ul. Prosta 1/2 b')
  t.equal(addressText('x'.repeat(200), 128).length, 128)
  t.equal(cityName('Bielsko-Biała #1'), 'Bielsko-Biała 1')
  t.equal(phoneNumber('tel. +48 (500) 600-700'), '. +48 (500) 600-700')
})

t.test('a postcode is written in the form of its country when it fits', async t => {
  t.equal(postcodeFor('00001', 'NN-NNN', 'PL'), '00-001')
  t.equal(postcodeFor('00-001', 'NN-NNN', 'PL'), '00-001')
  t.equal(postcodeFor('1234ab', 'NNNN LL', 'NL'), '1234 AB')
  t.equal(postcodeFor('1234', 'NN-NNN', 'PL'), '1234')
  t.equal(postcodeFor('AB-123', 'NN-NNN', 'PL'), 'AB-123')
  t.equal(postcodeFor('D12345', '', 'DE'), 'D12345')
  t.equal(postcodeFor('00_001/a', '', 'PL'), '00 001 A')
})

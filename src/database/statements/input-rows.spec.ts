import { InputRows } from './input-rows.js';

describe('the rows that a statement takes', () => {
  const input = new InputRows({
    id: 'uuid',
    bodyDigest: 'bytea',
    sendAt: 'timestamptz',
    text: 'text',
    payload: 'line',
  });

  it('have a parameter for each value', () => {
    expect(input.params).toEqual({
      ids: 'uuid[]',
      bodyDigests: 'bytea[]',
      sendAts: 'timestamptz[]',
      texts: 'text[]',
      payloads: 'text',
    });
    expect(input.sql).toBe(
      `unnest(:ids::uuid[], :bodyDigests::bytea[], :sendAts::timestamptz[], :texts::text[], string_to_array(:payloads, E'\\n', '')) ` +
        'as t (id, body_digest, send_at, text, payload)',
    );
  });

  it('are encoded as arrays', () => {
    const sendAt = '2026-01-02T03:04:05.678Z';
    expect(
      input.valuesOf([
        { id: 'a', bodyDigest: Buffer.from('ff', 'hex'), sendAt, text: '"', payload: '{"b":1}' },
        { id: 'b', bodyDigest: null, sendAt: new Date(sendAt), text: 'NULL', payload: null },
        { id: null, bodyDigest: null, sendAt: null, text: null, payload: '2' },
      ]),
    ).toEqual({
      ids: '{a,b,NULL}',
      bodyDigests: '{"\\\\xff",NULL,NULL}',
      sendAts: `{"${sendAt}","${sendAt}",NULL}`,
      texts: '{"\\"","NULL",NULL}',
      payloads: '{"b":1}\n\n2',
    });
  });
});

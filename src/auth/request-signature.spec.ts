import {
  hasSignatureHeaders,
  isTimely,
  readSignatureHeaders,
  type SignatureHeaders,
  type SignedRequest,
  sha256Hex,
  sign,
  verifySignature,
} from './request-signature.js';

const secret = 'sgsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const otherSecret = 'sgsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=';
const timestamp = 1_795_000_000;
const nonce = '7f3c2a9e5b1d4c60';

const body = '{"to":"+15550001111","body":"Pick one","buttons":[{"id":"y","title":"Yes"}]}';
const send = {
  method: 'POST',
  target: '/api/v1/external/messages/interactive/button',
  bodySha256: sha256Hex(Buffer.from(body)),
};
const read = {
  method: 'get',
  target: '/api/v1/external/templates?language=en&page=2',
  bodySha256: sha256Hex(Buffer.alloc(0)),
};

const named = (secrets: readonly string[]) => secrets.map((each) => ({ secret: each }));

const verifiedFingerprint = (
  headers: SignatureHeaders,
  request: SignedRequest,
  secrets: readonly string[],
) => verifySignature(headers, request, named(secrets))?.fingerprint ?? null;

describe('the signature of a request', () => {
  it.each([
    ['a send', send, '780d3a9862bb281804b061db60d214136d634df952bed8e8a296a809834e5895'],
    ['a read', read, '1d9bcae27c124332eebe0136b3bcc8537c02975d865bcf7dd17718f77215bbff'],
  ])('is the published one for %s', (_, request, expected) => {
    expect(sign(secret, request, timestamp, nonce).toString('hex')).toBe(expected);
  });

  const signed = (signature: Buffer) => ({ timestamp, nonce, signatures: [signature] });
  const signature = sign(secret, send, timestamp, nonce);

  it('verifies, also as one of several during a rotation', () => {
    expect(verifiedFingerprint(signed(signature), send, [secret])).toHaveLength(32);
    expect(verifiedFingerprint(signed(signature), send, [otherSecret, secret])).not.toBeNull();
    const two = { timestamp, nonce, signatures: [Buffer.alloc(32), signature] };
    expect(verifiedFingerprint(two, send, [secret])).not.toBeNull();
  });

  it('says which secret signed: the first where several did', () => {
    const other = sign(otherSecret, send, timestamp, nonce);
    const secrets = named([secret, otherSecret]);
    const signers = [[signature], [other], [other, signature]].map(
      (signatures) =>
        verifySignature({ timestamp, nonce, signatures }, send, secrets)?.signedWith.secret,
    );
    expect(signers).toEqual([secret, otherSecret, secret]);
  });

  it('leaves one fingerprint, whichever secret signed', () => {
    const other = sign(otherSecret, send, timestamp, nonce);
    const secrets = [secret, otherSecret];
    const prints = [[signature], [other], [signature, other], [other, signature]].map(
      (signatures) => verifiedFingerprint({ timestamp, nonce, signatures }, send, secrets),
    );
    expect(new Set(prints.map((print) => print?.toString('hex'))).size).toBe(1);
    const later = signed(sign(secret, send, timestamp + 1, nonce));
    expect(verifiedFingerprint({ ...later, timestamp: timestamp + 1 }, send, secrets)).not.toEqual(
      prints[0],
    );
  });

  it.each([
    ['the method', { ...send, method: 'PUT' }],
    ['the path', { ...send, target: `${send.target}/` }],
    ['the query', { ...send, target: `${send.target}?a=1` }],
    ['a byte of the body', { ...send, bodySha256: sha256Hex(Buffer.from(`${body} `)) }],
  ])('covers %s', (_, altered) => {
    expect(verifiedFingerprint(signed(signature), altered, [secret])).toBeNull();
  });

  it('covers the time-stamp and the nonce', () => {
    const later = { ...signed(signature), timestamp: timestamp + 1 };
    expect(verifiedFingerprint(later, send, [secret])).toBeNull();
    expect(verifiedFingerprint({ ...signed(signature), nonce: '' }, send, [secret])).toBeNull();
  });
});

describe('the headers of a signed request', () => {
  const hex = 'ab'.repeat(32);
  const good = { 'x-timestamp': '1795000000', 'x-nonce': nonce, 'x-signature': `v1=${hex}` };

  it('are read, with and without a nonce', () => {
    expect(readSignatureHeaders(good)).toEqual({
      timestamp,
      nonce,
      signatures: [Buffer.from(hex, 'hex')],
    });
    expect(readSignatureHeaders({ ...good, 'x-nonce': undefined })?.nonce).toBe('');
    expect(
      readSignatureHeaders({ ...good, 'x-signature': `v1=${hex}, v1=${hex}` })?.signatures,
    ).toHaveLength(2);
  });

  it.each([
    ['no time-stamp', { 'x-timestamp': undefined }],
    ['a time-stamp that is no whole number', { 'x-timestamp': '1795000000.5' }],
    ['a negative time-stamp', { 'x-timestamp': '-5' }],
    ['a short nonce', { 'x-nonce': 'short' }],
    ['a nonce of other characters', { 'x-nonce': 'aaaaaaaaaaaaaaaa!' }],
    ['no signature', { 'x-signature': undefined }],
    ['a signature of another version', { 'x-signature': `v2=${hex}` }],
    ['a signature in capitals', { 'x-signature': `v1=${hex.toUpperCase()}` }],
    ['a short signature', { 'x-signature': 'v1=abcd' }],
    ['four signatures', { 'x-signature': Array(4).fill(`v1=${hex}`).join(',') }],
  ])('are refused with %s', (_, change) => {
    expect(readSignatureHeaders({ ...good, ...change })).toBeNull();
  });

  it('may name any time at all: the window refuses what is far off', () => {
    expect(readSignatureHeaders({ ...good, 'x-timestamp': '1795000000000' })?.timestamp).toBe(
      1_795_000_000_000,
    );
  });

  it('count as soon as one of them is there', () => {
    expect(hasSignatureHeaders({})).toBe(false);
    expect(hasSignatureHeaders({ 'x-timestamp': '1' })).toBe(true);
    expect(hasSignatureHeaders({ 'x-signature': '' })).toBe(true);
  });
});

describe('the time-stamp of a request', () => {
  it.each([
    [0, true],
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
  ])('%s s off: %s', (offBy, expected) => {
    expect(isTimely(timestamp + offBy, timestamp * 1_000)).toBe(expected);
  });
});

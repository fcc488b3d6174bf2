import fc from 'fast-check';
import { PlatformRequestError, WhatsAppClient } from '#libs/whatsapp';
import { ScriptedServer } from '../../libs/whatsapp/scripted-server.js';
import { mutated, mutations, namesIn } from './hostile-json.js';
import { inGroups, platformRuns, report } from './runs.js';

const accessToken = 'EAAG-canary-token';
const timeoutMs = 400;

const sendAnswers = [
  {
    messaging_product: 'whatsapp',
    contacts: [{ input: '+14155550123', wa_id: '14155550123' }],
    messages: [{ id: 'wamid.HBgL', message_status: 'accepted' }],
  },
  {
    error: {
      message: `(#131047) Re-engagement message ${accessToken}`,
      type: 'OAuthException',
      code: 131_047,
      error_subcode: 2_494_073,
      is_transient: false,
      error_data: { messaging_product: 'whatsapp', details: 'More than 24 hours have passed' },
      fbtrace_id: 'AbC',
    },
  },
];

const readAnswers = [
  {
    data: [
      {
        id: '594425479261596',
        name: 'order_confirmation',
        language: 'en_US',
        status: 'APPROVED',
        category: 'UTILITY',
        parameter_format: 'POSITIONAL',
        quality_score: { score: 'GREEN' },
        rejected_reason: 'NONE',
        components: [
          { type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}', example: { header_text: ['you'] } },
          { type: 'BODY', text: 'Order {{1}}', example: { body_text: [['A-1']] } },
          {
            type: 'BUTTONS',
            buttons: [{ type: 'URL', text: 'Open', url: 'https://x.example/{{1}}' }],
          },
        ],
      },
    ],
    paging: { cursors: { before: 'a', after: 'b' } },
  },
  {
    id: '100000000000001',
    display_phone_number: '+1 555 078 3881',
    verified_name: 'Demo',
    status: 'CONNECTED',
    quality_rating: 'GREEN',
    throughput: { level: 'STANDARD' },
    health_status: {
      can_send_message: 'LIMITED',
      entities: [
        {
          entity_type: 'WABA',
          id: '1',
          can_send_message: 'LIMITED',
          errors: [{ error_code: 141_006, error_description: 'No card', possible_solution: 'Add' }],
        },
      ],
    },
  },
  { url: 'https://lookaside.fbsbx.com/a', mime_type: 'image/jpeg', file_size: 1, sha256: 'a' },
  sendAnswers[1] ?? {},
];

/** An answer from a broken platform: bytes, and whether the socket closes after them. */
interface WireAnswer {
  readonly bytes: Buffer;
  readonly closes: boolean;
}

function answersLike(examples: readonly object[]): fc.Arbitrary<WireAnswer> {
  const bodies = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom(...examples), mutations(namesIn(examples)))
        .map(([example, changes]) => mutated(example, changes)),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '<html>502</html>',
        'null',
        '[]',
        '"text"',
        `{"a":"${'x'.repeat(2_000_000)}"}`,
      ),
    },
  );
  return fc
    .record({
      body: bodies,
      status: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(200, 400) },
        { weight: 1, arbitrary: fc.constantFrom(201, 204, 301, 304, 401, 404, 408, 429, 500, 503) },
      ),
      // How the end of the answer is marked.
      frame: fc.constantFrom(
        ...(['length', 'length', 'length', 'length', 'chunks', 'chunks', 'chunks'] as const),
        ...(['close', 'short', 'long', 'both'] as const),
      ),
      header: fc.constantFrom(
        ...Array.from({ length: 24 }, () => ''),
        'Retry-After: 99999999999999999999',
        'Retry-After: Thu, 01 Jan 1970 00:00:00 GMT',
        'Content-Encoding: gzip',
        'Location: http://169.254.169.254/',
        `X-Long: ${'x'.repeat(20_000)}`,
        'Bad Header',
      ),
      garbage: fc.oneof(
        { weight: 14, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }) },
      ),
    })
    .map(({ body, status, frame, header, garbage }) => {
      if (garbage) return { bytes: Buffer.from(garbage), closes: true };
      const length = Buffer.byteLength(body);
      const told = { short: Math.max(0, length - 3), long: length + 3 }[frame as 'long'] ?? length;
      const isChunked = frame === 'chunks' || frame === 'both';
      const head = [
        `HTTP/1.1 ${status} X`,
        ...(header === '' ? [] : [header]),
        ...(isChunked ? ['Transfer-Encoding: chunked'] : []),
        ...(frame === 'chunks' || frame === 'close' ? [] : [`Content-Length: ${told}`]),
      ];
      const text = isChunked ? `${length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
      return {
        bytes: Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`),
        closes: frame === 'close',
      };
    });
}

describe('an answer of the platform that is not as it should be', () => {
  let server: ScriptedServer;
  let client: WhatsAppClient;
  let sequence = 0;
  const answers = new Map<string, WireAnswer>();
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);

  beforeAll(async () => {
    process.on('unhandledRejection', note);
    process.on('uncaughtExceptionMonitor', note);
    server = await ScriptedServer.listen((socket, text) => {
      const id = /\/v25\.0\/(\d+)/.exec(text)?.[1] ?? '';
      const answer = answers.get(id);
      if (answer) socket.write(answer.bytes);
      if (!answer || answer.closes) socket.end();
    });
    client = new WhatsAppClient({
      baseUrl: `${server.origin}/v25.0`,
      userAgent: 'Tests/1.0',
      connections: 64,
      timeoutMs,
      connectTimeoutMs: 5_000,
    });
  });

  afterAll(async () => {
    process.off('unhandledRejection', note);
    process.off('uncaughtExceptionMonitor', note);
    await client.destroy();
    await server.close();
  });

  /** An id under which the platform gives this answer. */
  function idOf(answer: WireAnswer): string {
    sequence += 1;
    answers.set(String(sequence), answer);
    return String(sequence);
  }

  it('to a send is accepted, refused or ambiguous: never thrown, never with the token', async () => {
    const outcomes = new Map<string, number>();
    await inGroups(platformRuns, answersLike(sendAnswers), async (group) => {
      const results = await Promise.all(
        group.map((answer) => client.send({ phoneNumberId: idOf(answer), accessToken }, '{}')),
      );
      for (const result of results) {
        outcomes.set(result.outcome, (outcomes.get(result.outcome) ?? 0) + 1);
        expect(['accepted', 'refused', 'ambiguous']).toContain(result.outcome);
        expect(JSON.stringify(result)).not.toContain(accessToken);
        if (result.outcome === 'accepted') expect(result.platformMessageId).not.toBe('');
        if ('response' in result && result.response !== null) {
          expect(Buffer.byteLength(result.response)).toBeLessThanOrEqual(4_096);
        }
        if (result.outcome === 'refused')
          expect(Number.isSafeInteger(result.error.code)).toBe(true);
      }
    });
    expect(unhandled).toEqual([]);
    const told = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`);
    report(`mutated answers to sends: ${told.join(', ')}, 0 unhandled`);
  });

  it('to a read is the thing asked for or a PlatformRequestError', async () => {
    let taken = 0;
    let refused = 0;
    const reads = [
      (id: string) => client.listTemplates({ businessAccountId: id, accessToken }),
      (id: string) => client.getMedia(id, accessToken),
      async (id: string) => {
        const result = await client.getPhoneNumber({ phoneNumberId: id, accessToken });
        if (!result.ok) throw result.error;
        return result.phoneNumber;
      },
    ];
    const answersToReads = fc.tuple(answersLike(readAnswers), fc.constantFrom(...reads));
    await inGroups(platformRuns, answersToReads, async (group) => {
      const results = await Promise.allSettled(group.map(([answer, read]) => read(idOf(answer))));
      for (const result of results) {
        if (result.status === 'fulfilled') {
          taken += 1;
          continue;
        }
        refused += 1;
        expect(result.reason).toBeInstanceOf(PlatformRequestError);
        expect(String(result.reason)).not.toContain(accessToken);
      }
    });
    expect(unhandled).toEqual([]);
    report(`mutated answers to reads: ${taken} read, ${refused} refused, 0 unhandled`);
  });
});

import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { installation } from './installation.js';

/** Who sends what, and where to. */
export interface LoadOptions {
  /** Begins every reference. */
  readonly name: string;
  /** Returns where the next send goes, as a load balancer would; never where it was refused. */
  readonly api: (elsewhereThan?: string) => string;
  readonly connections: number;
  /** How long a caller thinks between two sends, in milliseconds. Default 0. */
  readonly thinkMs?: number;
  readonly apiKey?: string;
  /** The recipient of the send with this number, from 1: a phone number or a user id. */
  readonly recipientOf?: (sequence: number) => string;
  /** What each message has in addition. */
  readonly content?: object;
  /** A template, as the API takes it, in place of a message with buttons. */
  readonly template?: object;
  /** Whether the caller of this send waits for the outcome. Default: seven of eight do. */
  readonly waits?: (sequence: number) => boolean;
}

/** One request of the load and all that its caller learned. */
export interface Sent {
  /** It is on the message, too, and links what the caller saw with the database. */
  readonly reference: string;
  /** HTTP status; null when the connection ended without an answer. */
  readonly status: number | null;
  /** `data` of a success, `error` of a refusal; null where the answer was no envelope. */
  readonly data: { message_id: string; status: string } | null;
  readonly error: { code: string; details?: { message_id?: string; reason?: string } } | null;
  /** The code of the connection's error where there was no answer. */
  readonly problem: string | null;
  /** The header of that name. */
  readonly retryAfter: string | null;
  readonly durationMs: number;
}

type Answer = Omit<Sent, 'reference' | 'durationMs'>;

/**
 * Callers that send one message after the other, each on a connection of its own, without a pause:
 * a closed loop. What they do after an error is what callers do: the next message.
 */
export class Load {
  readonly sent: Sent[] = [];
  private readonly agent: Agent;
  private readonly callers: Promise<void>[];
  private sequence = 0;
  private isOver = false;
  private isPaused = false;

  constructor(private readonly options: LoadOptions) {
    this.agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
    this.callers = Array.from({ length: options.connections }, () => this.call());
  }

  /** How many sends were answered as accepted. */
  get accepted(): number {
    return this.sent.filter(({ status }) => status === 200 || status === 202).length;
  }

  /** Sends nothing new until `resume`. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  /** Waits until running sends have ended. */
  async stop(): Promise<Sent[]> {
    this.isOver = true;
    await Promise.all(this.callers);
    this.agent.destroy();
    return this.sent;
  }

  private async call(): Promise<void> {
    while (!this.isOver) {
      if (this.isPaused) {
        await pause(100);
        continue;
      }
      this.sequence += 1;
      const sent = await this.send(this.sequence);
      this.sent.push(sent);
      // Do not hammer a server that is not there.
      if (sent.status === null) await pause(50);
      if (this.options.thinkMs) await pause(this.options.thinkMs);
    }
  }

  private async send(sequence: number): Promise<Sent> {
    const reference = `${this.options.name}-${sequence}`;
    const startedAt = performance.now();
    const url = this.options.api();
    let answer = await this.post(url, sequence, reference);
    // It was refused: a load balancer tries the next one.
    if (isUntaken(answer)) {
      answer = await this.post(this.options.api(url), sequence, reference);
    }
    return { reference, ...answer, durationMs: performance.now() - startedAt };
  }

  private post(url: string, sequence: number, reference: string): Promise<Answer> {
    const {
      apiKey = installation.apiKey,
      recipientOf = defaultRecipient,
      waits = mostWait,
      content,
      template,
    } = this.options;
    const to = recipientOf(sequence);
    const body = JSON.stringify({
      ...(to.startsWith('+') ? { to } : { to_user_id: to }),
      ...(template ?? { body: messageText, buttons: [{ id: 'yes', title: 'Yes' }] }),
      reference,
      ...content,
    });
    return new Promise((resolve) => {
      const fail = (problem: NodeJS.ErrnoException) =>
        resolve({
          status: null,
          data: null,
          error: null,
          problem: codeOf(problem),
          retryAfter: null,
        });
      const call = request(
        `${url}/api/v1/external/messages/${template ? 'template' : 'interactive/button'}`,
        {
          method: 'POST',
          agent: this.agent,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'x-api-key': apiKey,
            ...(!waits(sequence) && { prefer: 'respond-async' }),
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => {
            text += part;
          });
          response.once('end', () => {
            const { statusCode: status = null, headers } = response;
            const { data = null, error = null } = parsed(text);
            const retryAfter = headers['retry-after'] ?? null;
            resolve({ status, data, error, problem: null, retryAfter });
          });
          response.once('error', fail);
        },
      );
      call.once('error', fail);
      call.end(body);
    });
  }
}

/** What every message of the load says; no log may. */
export const messageText = 'Your parcel arrives today. Will you be at home?';

function defaultRecipient(sequence: number): string {
  return `+4930${String(sequence).padStart(7, '0')}`;
}

/** Some callers do not wait. */
function mostWait(sequence: number): boolean {
  return sequence % 8 !== 0;
}

/** Refused before anything was read, or by a process that says that it took nothing. */
function isUntaken({ problem, error }: Answer): boolean {
  return problem === 'ECONNREFUSED' || error?.details?.reason === 'shutting_down';
}

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}

/** What the envelope holds; nothing where the text is no envelope. */
function parsed(text: string): Partial<Pick<Sent, 'data' | 'error'>> {
  try {
    const envelope = JSON.parse(text) as Pick<Sent, 'data' | 'error'> & { success?: boolean };
    return typeof envelope.success === 'boolean' ? envelope : {};
  } catch {
    return {};
  }
}

import { Injectable } from '@nestjs/common';
import type { PhoneNumberResult, SendResult } from '#libs/whatsapp';
import type { Mode } from '../access/mode.js';
import { Config } from '../config/config.js';
import {
  type Credentials,
  type ModeClients,
  PlatformClients,
} from '../platform/platform-clients.js';

/** A test message, and no `SIMULATOR_URL` to send it to. */
export class NoSimulatorError extends Error {
  constructor() {
    super('SIMULATOR_URL is not set');
  }
}

/** Sends a prepared message once. Never rejects. */
export type PreparedSend = (signal: AbortSignal) => Promise<SendResult>;

/** The platform as the worker sees it: the right address and credentials for each message. */
@Injectable()
export class PlatformGateway {
  private readonly clients: ModeClients;
  private readonly credentials = new Map<string, Credentials>();
  /** Look-ups under way: a backlog asks for one account once, not once for each message. */
  private readonly reading = new Map<string, Promise<Credentials>>();

  constructor(
    config: Config,
    private readonly platform: PlatformClients,
  ) {
    this.clients = platform.open({ connections: config.maxInFlight });
  }

  /**
   * Finds the client and the credentials for a stored payload. Nothing is sent yet.
   * @param message `accountVersion` is that of the claim: older credentials are read again.
   * @throws NoSimulatorError, SecretUnreadableError, or the store's error.
   */
  async prepare(message: {
    mode: Mode;
    accountId: string;
    accountVersion: number;
    payload: string;
  }): Promise<PreparedSend> {
    const client = this.clients[message.mode];
    if (!client) throw new NoSimulatorError();
    const sender = await this.credentialsOf(message.accountId, message.accountVersion);
    return (signal) => client.send(sender, message.payload, { signal });
  }

  /** Asks the platform for the health of an account's number. */
  async checkNumber(accountId: string): Promise<PhoneNumberResult> {
    return this.clients.live.getPhoneNumber(
      await this.credentialsOf(accountId, Number.POSITIVE_INFINITY),
    );
  }

  private async credentialsOf(accountId: string, version: number): Promise<Credentials> {
    const known = this.credentials.get(accountId);
    if (known && known.version >= version) return known;
    const underWay = await this.reading.get(accountId);
    if (underWay && underWay.version >= version) return underWay;
    // A look-up that began before the account changed misses the change: look again.
    return this.read(accountId);
  }

  private read(accountId: string): Promise<Credentials> {
    const underWay = this.reading.get(accountId);
    if (underWay) return underWay;
    const reading = this.platform
      .credentialsOf(accountId)
      .then((read) => {
        this.credentials.set(accountId, read);
        return read;
      })
      .finally(() => this.reading.delete(accountId));
    this.reading.set(accountId, reading);
    return reading;
  }
}

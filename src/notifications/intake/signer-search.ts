import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isSignedWith, parseSignature } from '#libs/whatsapp';
import { AddressMinutes } from '../../auth/address-minutes.js';
import { Turns } from '../../database/transactions/turns.js';
import { unavailable } from '../../errors/app-error.js';
import { Metrics } from '../../metrics/metrics.js';
import { AppSecrets, type KnownSecret, type Signer } from './app-secrets.js';
import { platformIdsIn } from './named-ids.js';

/** What came to WhatsApp's address. */
export interface Delivered {
  readonly body: Buffer;
  /** `X-Hub-Signature-256` as it came. */
  readonly signature: string | undefined;
  /** The account whose address was called; null: the address that all accounts share. */
  readonly accountId: string | null;
  /** Where it came from, as limits count addresses: see `addressBlock`. */
  readonly address: string;
}

/** How often a minute a body of one address may be tried with every secret in vain. */
export const failedSearchesMax = 20;

/** What is hashed before other requests get their turn: 50 to 150 µs. Larger bodies wait for those of their address. */
const partBytes = 64 * 1024;

/** What starting a hash costs, in bytes that could be hashed meanwhile. */
const startBytes = 4 * 1024;

/** Finding ids in text may take four times as long as hashing it. */
const scanFactor = 4;

/** Distinct secrets that a body may name. More are tried with all the others: a forged body may name every account. */
const namedMax = 8;

/** Parts of bodies that are tried with every secret, or wait for it, in this process: 16 MiB. */
const searchedMaxParts = 256;

/** One search: no secret is tried twice. */
interface Search {
  readonly from: Delivered;
  readonly digest: Buffer;
  readonly tried: Set<string>;
  readonly before: (bytes: number) => Promise<void>;
}

/**
 * Finds out whose app secret signed a body. The likely ones come first: those of the account in the address,
 * or of the accounts that the body names. They are tried whatever else an address sends. At the
 * address without an account, all others follow, which Meta's test button and numbers that Parley does not know need. They
 * cost as much as there are apps, so an address may fail with them 20 times a minute.
 */
@Injectable()
export class SignerSearch {
  /** The bodies of addresses that no secret had signed. */
  private readonly failed = new AddressMinutes();
  private lastPause: Promise<void> = Promise.resolve();
  private searchedParts = 0;

  constructor(
    private readonly secrets: AppSecrets,
    private readonly turns: Turns,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Who signed it, or null if no permitted signer did, or the address has failed too often.
   * @throws AppError SERVICE_UNAVAILABLE when too many bodies are tried with every secret.
   */
  async findSigner(from: Delivered): Promise<Signer | null> {
    const digest = parseSignature(from.signature);
    if (!digest) return null;
    const search = { from, digest, tried: new Set<string>(), before: this.pacer() };
    if (from.body.length <= partBytes) return this.find(search);
    return this.turns.take(`large body from ${from.address}`, () => this.find(search));
  }

  private async find(search: Search): Promise<Signer | null> {
    await this.secrets.all();
    let { signer, isNamed } = await this.tryLikely(search);
    // An account may have been made or changed a moment ago.
    if (!signer && (await this.secrets.readAgain())) {
      ({ signer, isNamed } = await this.tryLikely(search));
    }
    const { accountId, body } = search.from;
    if (signer || accountId !== null || (isNamed && body.length > partBytes)) return signer;
    return this.tryOthers(search);
  }

  private async tryLikely(
    search: Search,
  ): Promise<{ signer: KnownSecret | null; isNamed: boolean }> {
    const { accountId, body } = search.from;
    const ofAddress = accountId === null ? undefined : this.secrets.ofAccount(accountId);
    const first = [...this.secrets.ofAnyAccount, ...(ofAddress ? [ofAddress] : [])];
    const signer = await this.tryEach(search, first, 'likely');
    if (signer || accountId !== null) return { signer, isNamed: true };
    const named = new Set<KnownSecret>();
    for (const ids of platformIdsIn(body)) {
      await search.before(scanFactor * Math.min(body.length, partBytes / scanFactor));
      const before = named.size;
      for (const known of ids.flatMap((id) => this.secrets.ofPlatformId(id))) {
        if (named.size < namedMax) named.add(known);
      }
      const found = await this.tryEach(search, [...named].slice(before), 'likely');
      if (found) return { signer: found, isNamed: true };
      if (named.size === namedMax) break;
    }
    return { signer: null, isNamed: named.size > 0 };
  }

  private async tryOthers(search: Search): Promise<Signer | null> {
    const { address, body } = search.from;
    if (this.failed.countOf(address) >= failedSearchesMax) return null;
    const parts = Math.max(1, Math.ceil(body.length / partBytes));
    if (this.searchedParts + parts > searchedMaxParts) {
      throw unavailable('too_many_notifications', 'Too many notifications wait to be checked.');
    }
    this.searchedParts += parts;
    try {
      return await this.turns.take(`signature from ${address}`, async () => {
        if (this.failed.countOf(address) >= failedSearchesMax) return null;
        await this.pause();
        const signer = await this.tryEach(search, await this.secrets.all(), 'other');
        if (!signer) this.failed.add(address, parts);
        return signer;
      });
    } finally {
      this.searchedParts -= parts;
    }
  }

  private async tryEach(
    { from, digest, tried, before }: Search,
    secrets: readonly KnownSecret[],
    kind: 'likely' | 'other',
  ): Promise<KnownSecret | null> {
    for (const known of secrets) {
      if (tried.has(known.secret)) continue;
      tried.add(known.secret);
      this.metrics.secretsTried.inc({ kind });
      if (await isSignedWith(known.secret, from.body, digest, before)) return known;
    }
    return null;
  }

  /** Counts what one search hashes, and pauses after each part. */
  private pacer(): (bytes: number) => Promise<void> {
    let spent = 0;
    return async (bytes) => {
      spent += startBytes + bytes;
      if (spent <= partBytes) return;
      spent = startBytes + bytes;
      await this.pause();
    };
  }

  /** Lets other requests run. Searches go on one after the other, one in each turn of the event loop. */
  private pause(): Promise<void> {
    this.lastPause = this.lastPause.then(() => setImmediate());
    return this.lastPause;
  }
}

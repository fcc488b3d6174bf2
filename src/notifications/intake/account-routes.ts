import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { RoutedAccount } from '../routed-event.js';
import * as sql from './account-routes.statements.js';

/** Accounts read longer ago are read again, so that a new or moved number is known soon. */
const maxAgeMs = 5_000;

/** Outdated accounts are read again at once, but no more often than this: strangers must not trigger endless reads. */
const minAgeMs = 1_000;

/**
 * Which accounts a number belongs to, as this process read it some seconds ago. Each account comes
 * with its version: changes made for it must check that the version is still current.
 */
@Injectable()
export class AccountRoutes {
  private byPhoneNumberId = new Map<string, RoutedAccount[]>();
  private readAt = Number.NEGATIVE_INFINITY;
  private isDoubtful = false;
  private reading: Promise<void> | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /** The accounts with a number, by the platform's id of it. */
  async findAccounts(phoneNumberId: string): Promise<readonly RoutedAccount[]> {
    const age = performance.now() - this.readAt;
    if (age > (this.isDoubtful ? minAgeMs : maxAgeMs)) await this.read();
    return this.byPhoneNumberId.get(phoneNumberId) ?? [];
  }

  /** An account turned out to be outdated. */
  doubt(): void {
    this.isDoubtful = true;
  }

  /** Requests that come while the accounts are read wait for the same reading. */
  private read(): Promise<void> {
    this.reading ??= this.readNow().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async readNow(): Promise<void> {
    this.isDoubtful = false;
    const rows = await sql.listRoutedAccounts.rows(this.dataSource);
    const byPhoneNumberId = new Map<string, RoutedAccount[]>();
    for (const row of rows) {
      const others = byPhoneNumberId.get(row.phoneNumberId) ?? [];
      byPhoneNumberId.set(row.phoneNumberId, [...others, row]);
    }
    this.byPhoneNumberId = byPhoneNumberId;
    this.readAt = performance.now();
  }
}

/** An account that the user may see. */
export interface SearchedAccount {
  readonly id: string;
  readonly name: string;
}

/** Whose things are searched. */
export class SearchScope {
  readonly accountIds: readonly string[];
  private readonly names: ReadonlyMap<string, string>;

  constructor(accounts: readonly SearchedAccount[]) {
    this.accountIds = accounts.map(({ id }) => id);
    this.names = new Map(accounts.map(({ id, name }) => [id, name]));
  }

  /** A subtitle: its parts, and the name of the account where there are several. */
  subtitle(accountId: string, ...parts: (string | null)[]): string {
    const account = this.names.size > 1 ? (this.names.get(accountId) ?? null) : null;
    return [...parts, account].filter(Boolean).join(' · ');
  }
}

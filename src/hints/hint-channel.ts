/**
 * Short texts from any process to those that listen. They are hints: a lost one costs a moment,
 * because every listener also looks at the rows.
 */
export abstract class HintChannel {
  /**
   * Calls `listener` with every text published under `name`. Resolves when listening, or when it
   * turned out that the store is away; it keeps trying.
   * @param onGap called when listening begins again after a break, in which texts were lost.
   */
  abstract listen(
    name: string,
    listener: (text: string) => void,
    onGap?: () => void,
  ): Promise<void>;

  /** Publishes a text of at most 7,500 bytes. Never rejects. */
  abstract publish(name: string, text: string): Promise<void>;

  abstract close(): Promise<void>;
}

import { describe, expect, it } from '@jest/globals';
import { priceWords } from './price-words.ts';

const billed = { billable: true, category: 'service', type: 'regular', model: null };

describe('the price of a message', () => {
  it('says whether WhatsApp charges it, and as what', () => {
    expect(priceWords(billed, 'whatsapp')).toBe('Billed, service, regular');
    expect(priceWords({ ...billed, billable: false, type: 'free_entry_point' }, 'whatsapp')).toBe(
      'Free, service, free entry point',
    );
    expect(priceWords({ ...billed, billable: null }, 'whatsapp')).toBe('service, regular');
  });

  it('says that nothing is charged for what went to the simulator, and what WhatsApp would do', () => {
    expect(priceWords(billed, 'simulator')).toBe(
      'Nothing: it went to the simulator. WhatsApp would charge for it (service, regular).',
    );
    expect(priceWords({ ...billed, billable: false, category: null }, 'simulator')).toBe(
      'Nothing: it went to the simulator. WhatsApp would send it for free (regular).',
    );
    expect(priceWords({ ...billed, billable: null }, 'simulator')).toBe(
      'Nothing: it went to the simulator.',
    );
  });
});

import { newId } from '../../src/database/ids.js';
import { installation } from '../support/installation.js';
import { putTemplates } from '../support/templates.js';
import type { ChaosInstallation } from './installation.js';

const approved = (name: string, category: string) => ({
  name,
  language: 'en_US',
  category,
  status: 'APPROVED',
  components: [{ type: 'BODY', text: 'Hello.' }],
});

const templates = [approved('hello', 'UTILITY'), approved('sale', 'MARKETING')] as const;

/** Gives WhatsApp and the database the templates that faults send, once. */
export async function addTemplates(chaos: ChaosInstallation): Promise<void> {
  await putTemplates(chaos.stack, [...templates]);
  for (const { name, language, category, status, components } of templates) {
    await chaos.postgres.sql(
      `insert into templates (id, account_id, mode, name, language, category, status,
         parameter_format, components)
       values ($1, $2, 'live', $3, $4, $5, $6, 'POSITIONAL', $7::jsonb)
       on conflict do nothing`,
      [
        newId(),
        installation.accountId,
        name,
        language,
        category,
        status,
        JSON.stringify(components),
      ],
    );
  }
}

/** Maps the template of campaigns for the key of the load: without parameters, it has no variables. */
export async function addMapping(chaos: ChaosInstallation): Promise<void> {
  await chaos.postgres.sql(
    `insert into template_mappings (api_key_id, template_id, variables)
     select k.id, t.id, '{}' from api_keys k join templates t on t.account_id = k.account_id and t.name = 'sale'
     where k.account_id = $1 and k.name = 'demo' on conflict do nothing`,
    [installation.accountId],
  );
}

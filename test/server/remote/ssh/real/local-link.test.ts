import { linkContract } from '../../../../support/contracts/link-contract.ts';
import { localLink } from '../../../../../server/remote/local-link.ts';

linkContract(() => localLink(process.env));

import { describeDamaged } from './support/describe-damaged';

// Beside the other groups, so that both run at once.
describeDamaged(['PNG', 'TIFF']);

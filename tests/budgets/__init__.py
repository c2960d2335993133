"""The budgets of the architecture, measured against bare servers in the same run."""

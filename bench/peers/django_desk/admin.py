from django.contrib import admin

from .models import Loan


@admin.register(Loan)
class LoanAdmin(admin.ModelAdmin):
    list_display = ["number", "state", "borrower", "out_on", "due_back", "approved_by"]
    list_filter = ["state"]
    list_per_page = 25
    list_select_related = ["borrower", "approved_by"]
    raw_id_fields = ["borrower", "approved_by"]
